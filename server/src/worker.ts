import './production.ts';

import { serve } from './serve.ts';

/** The work alone, for `api` processes. */
serve('worker');
