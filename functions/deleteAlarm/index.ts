import { openWriting } from '#wiring/write-deps.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openWriting());
