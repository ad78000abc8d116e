import './production.ts';

import { serve } from './serve.ts';

/** Everything in one process: the API, and the work behind it. */
serve('all');
