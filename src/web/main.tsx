import { render } from 'preact';
import './style/main.css';
import { App } from './frame/app.tsx';

render(<App />, document.body);
