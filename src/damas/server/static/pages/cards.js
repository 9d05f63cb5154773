/** The cards of a class: the button that prints them. */

import { byId } from '../lib/dom.js';

byId('print').addEventListener('click', () => window.print());
document.body.dataset.ready = 'cards';
