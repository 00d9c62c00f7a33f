import { render } from 'preact';
import '../style/main.css';
import { Gallery } from './gallery.tsx';

render(<Gallery />, document.body);
