import { signal } from '@preact/signals';

/** A sentence above the list of variables about what was just done, such as a deletion; null: nothing was. */
export const listNotice = signal<string | null>(null);
