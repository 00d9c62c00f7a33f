declare module 'node-hid/nodehid.js?second' {
  import type * as NodeHid from 'node-hid';

  const copy: typeof NodeHid;
  export default copy;
}

declare module 'node-hid/binding-options.js' {
  const options: { name: string };
  export default options;
}
