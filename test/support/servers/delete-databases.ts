import { afterAll } from 'vitest';
import { deleteDatabases } from './dynamo.ts';

// Registered before the hooks of each file, so it runs after them.
afterAll(deleteDatabases);
