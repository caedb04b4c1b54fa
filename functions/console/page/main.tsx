import { render } from 'preact';

const root = document.getElementById('console');
if (root !== null) render(<h1>Caudal</h1>, root);
