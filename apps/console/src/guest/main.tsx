/** @jsxImportSource preact */
import '@fontsource-variable/figtree/index.css';
import './guest.css';
import './viewer.css';
import { render } from 'preact';
import { GuestApi } from './api.ts';
import { App } from './App.tsx';

const token = location.pathname.split('/')[2] ?? '';
render(<App api={new GuestApi(token)} />, document.getElementById('guest')!);
