import { installPromtool } from '../foreign-tools/go-program.ts';
import { buildInfluxd, influxdVersion, newestInfluxdVersion } from './influxd-build.ts';
import { influxd1Versions, installInfluxd1 } from './influxd1.ts';
import { installKeycloak } from './keycloak.ts';

/** Builds or downloads the servers that take minutes, so that a check can do it beside other work. What is there already is left alone. */
for (const version of [influxdVersion, newestInfluxdVersion] as const) await buildInfluxd(version);
await installKeycloak();
for (const version of influxd1Versions) await installInfluxd1(version);
await installPromtool();
