// The words of games that are played in this browser alone, as the server sends them.

import * as views from '../lib/types.js';

export type LocalWordsView = views.LocalWordsView;
export type LocalRulebookView = views.LocalRulebookView;
export type LocalLearningView = views.LocalLearningView;
export type LocalRegulationView = views.LocalRegulationView;
export type LocalTermsView = views.LocalTermsView;
