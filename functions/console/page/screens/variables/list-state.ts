import { signal } from '@preact/signals';
import type { TableSort } from '#page/parts/data-table.tsx';
import type { ListFilter } from './list-model.ts';

/** What is searched for. It stays while a variable is open, as the filter and the order do. */
export const listSearch = signal('');

export const listFilter = signal<ListFilter>('all');

/** Worst first, at the beginning. */
export const listSort = signal<TableSort>({ column: 'quality', direction: 'ascending' });
