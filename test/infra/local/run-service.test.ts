import { afterEach, expect, test } from 'vitest';
import { administratorCommand } from '#infra/local/run-service.ts';

const [, program = ''] = process.argv;
afterEach(() => {
	process.argv[1] = program;
});

test.each([
	['/clone/infra/local/serve.ts', '.local', 'npm run user --'],
	['/clone/infra/local/serve.ts', '/var/lib/caudal', 'STATE_DIR=/var/lib/caudal npm run user --'],
	['/usr/bin/caudal', '/srv/the plant', "STATE_DIR='/srv/the plant' caudal user"],
	['/clone/infra/tools/caudal.ts', "it's", "STATE_DIR='it'\\''s' caudal user"],
])('the hint of %s with the state in %s runs in a shell', (file, STATE_DIR, expected) => {
	process.argv[1] = file;
	expect(administratorCommand('plant_a', { STATE_DIR })).toBe(`${expected} role E-MAIL administrator --schema plant_a`);
});
