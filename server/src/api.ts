import './production.ts';

import { serve } from './serve.ts';

/** The API alone: the work is done by `worker` processes. */
serve('api');
