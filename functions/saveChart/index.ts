import { openWriteDeps } from '#wiring/store-deps.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openWriteDeps());
