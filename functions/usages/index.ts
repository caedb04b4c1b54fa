import { openListing } from '#wiring/list-deps.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openListing());
