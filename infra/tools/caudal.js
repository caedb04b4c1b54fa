#!/usr/bin/env node
// `npx caudal` in a clone. The package of infra/tools/package has a program of its own.
import { runTypeScript } from './run-typescript.js';

runTypeScript('caudal', './caudal.ts');
