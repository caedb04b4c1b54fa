#!/usr/bin/env node
// `npx caudal-plant` in a clone.
import { runTypeScript } from '../run-typescript.js';

runTypeScript('caudal-plant', './plant/plant.ts');
