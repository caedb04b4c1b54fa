import { signal } from '@preact/signals';

/** The sentence above the list of variables about what was just done on another screen, such as a deletion; null without one. */
export const listNotice = signal<string | null>(null);
