import { signal } from '@preact/signals';

/** What was just done, said above the list; null when nothing was. */
export const listNotice = signal<string | null>(null);
