import './appearance/zoom.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

// The page that opens first is fetched beside the list of gateways.
if (location.hash === '' || location.hash.startsWith('#/?') || location.hash === '#/') {
  void import('./overview/overview-page.tsx');
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
