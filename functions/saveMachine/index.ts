import { openMachineDeps } from '#wiring/admission.ts';
import { withRequestTime } from '#wiring/request-time.ts';
import { createHandler } from './handler.ts';

export const handler = withRequestTime(createHandler(openMachineDeps()));
