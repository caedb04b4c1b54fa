import { openWriting } from '../../shared/lambda/writing.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openWriting());
