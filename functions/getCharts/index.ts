import { openListing } from '../../shared/lambda/listing.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler(openListing());
