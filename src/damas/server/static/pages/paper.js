/** A page to be printed: its button, and the line that stands at the bottom of every sheet. */

import { $, byId } from '../lib/dom.js';

const footer = JSON.stringify($('.paper-footer').textContent);
document.documentElement.style.setProperty('--paper-footer', footer);

byId('print').addEventListener('click', () => window.print());
document.body.dataset.ready = 'paper';
