import './appearance/zoom.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { readFirstProfiles } from './bridge/profiles.tsx';
import { hashPath } from './navigation/hash-location.ts';
import { PAGES } from './pages.ts';

/** Both are here in a moment; a drawing without them would be thrown away. */
const MOMENT_MS = 250;

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  const opening = PAGES.find(({ home }) => `${hashPath()}/`.startsWith(home === '/' ? '//' : `${home}/`));
  const prepared = Promise.allSettled([readFirstProfiles(), opening?.page.fetch()]);
  await Promise.race([prepared, new Promise((resolve) => setTimeout(resolve, MOMENT_MS))]);
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

void start();
