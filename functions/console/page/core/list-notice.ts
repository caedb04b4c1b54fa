import { signal } from '@preact/signals';

/** A sentence above the list of variables about the last act, such as a deletion; null without one. */
export const listNotice = signal<string | null>(null);
