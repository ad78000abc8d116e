import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html lost its root');
createRoot(place).render(<App />);
