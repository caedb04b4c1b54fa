import { openReadDeps } from '#wiring/read-deps.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openReadDeps());
