/** Style sheets are imported for their effect alone: the bundler puts them into one file beside the script. */
declare module '*.css';
