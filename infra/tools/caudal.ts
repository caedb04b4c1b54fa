#!/usr/bin/env -S node --disable-warning=DEP0169
import { print } from '#infra/cli/print.ts';
import { readManifest } from '#infra/openapi/manifest.ts';

/** The oldest version of Node.js that the service runs on. */
const neededVersion = 24;

/** The commands: what each is for, and its program, which reads the arguments after the command. */
const commands = new Map<string, { readonly purpose: string; readonly run: () => Promise<unknown> }>([
	['serve', { purpose: 'runs the service in production', run: () => import('#infra/local/serve.ts') }],
	['backup', { purpose: 'copies the state of a service, which may be running', run: () => import('./backup/backup.ts') }],
	['restore', { purpose: 'puts such a copy into STATE_DIR', run: () => import('./backup/restore.ts') }],
	['user', { purpose: 'lists, adds and removes users, and gives roles', run: () => import('./user.ts') }],
	['account', { purpose: 'manages accounts of the service itself', run: () => import('./account/account.ts') }],
	['grant', { purpose: 'says whom an OpenID provider lets into which tenant', run: () => import('./grant/grant.ts') }],
	['schema', { purpose: 'exports, imports, checks and repairs a schema', run: () => import('./schema/schema.ts') }],
	['plant', { purpose: 'writes a plant to a file, and applies one', run: () => import('./plant/plant.ts') }],
	['samples', { purpose: 'writes stored samples as line protocol', run: () => import('./samples.ts') }],
	['replay', { purpose: 'sends a CSV of samples to a write API', run: () => import('./replay/replay.ts') }],
]);

/** `caudal COMMAND`: the service and the operators' tools in one program, for who installed the package (infra/local/PRODUCTION.md#1-install). */
const [name = 'help'] = process.argv.splice(2, 1);
const command = commands.get(name);
if (Number.parseInt(process.versions.node, 10) < neededVersion) {
	print(`caudal: it needs Node.js ${neededVersion} or newer, and this is ${process.versions.node}.`, process.stderr);
	process.exitCode = 1;
} else if (command !== undefined) await command.run();
else if (['version', '--version', '-V'].includes(name)) print(readManifest().version);
else {
	print('Usage: caudal COMMAND [options]; caudal COMMAND --help says more. Settings are variables of the environment.');
	for (const [each, { purpose }] of commands) print(`  ${each.padEnd(8)} ${purpose}`);
	if (!['help', '--help', '-h'].includes(name)) process.exitCode = 1;
}
