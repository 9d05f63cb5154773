/** A page to be printed: only its button needs a script. */

import { byId } from '../lib/dom.js';

byId('print').addEventListener('click', () => window.print());
document.body.dataset.ready = 'paper';
