import { withCircuit } from '#adapters/provider-circuit.ts';
import { withLambdaDeadline } from '#wiring/request-time.ts';
import { openSessionDeps } from '#wiring/session-deps.ts';
import { createHandler } from './handler.ts';

const { deps } = openSessionDeps();
const identityProvider = withCircuit(deps.identityProvider, deps.now);

export const handler = withLambdaDeadline(createHandler({ ...deps, identityProvider }));
