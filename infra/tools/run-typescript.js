// Runs a program of the clone on the Node.js of the project, whatever version npx itself runs on.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Runs a TypeScript file of this folder with the arguments of this process, and ends as it does. */
export function runTypeScript(name, file) {
	const own = pathOf('../../node_modules/node/bin/node');
	const neededVersion = 24;
	const isNew = Number(process.versions.node.split('.')[0]) >= neededVersion;
	if (!isNew && !existsSync(own)) {
		process.stderr.write(`${name}: run \`npm ci\` in the clone first: it installs Node.js 24, which this needs.\n`);
		process.exit(1);
	}
	const node = isNew ? process.execPath : own;
	const child = spawn(node, ['--disable-warning=DEP0169', pathOf(file), ...process.argv.slice(2)], { stdio: 'inherit' });
	// A terminal interrupts both programs; the program ends when its requests are answered.
	process.on('SIGINT', () => undefined);
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	// 130 is the code that a shell reports for an interrupted program.
	child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
