import { openReading } from '../../shared/lambda/reading.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openReading());
