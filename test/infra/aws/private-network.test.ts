import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addCaBundle, caBundleFile } from '#infra/aws/ca-bundle.ts';
import { ConfigError } from '#shared/config.ts';
import { endpoints, functionNames } from '#shared/contract.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { resourceNames } from '#shared/resource-names.ts';
import { tasks } from '#shared/tasks.ts';
import { arnOf } from '#test/support/builders/references.ts';
import { runProgram } from '#test/support/process.ts';
import { functionsIn, makeVpc, ofType, openSynthesis, type Stacks, stubBundles } from '#test/support/templates.ts';

/** The functions that call InfluxDB or the identity provider. */
const callers = [...endpoints, ...tasks].flatMap((row): string[] => {
	const { uses }: Pick<Endpoint, 'uses'> = row;
	return uses.timeSeries !== undefined || uses.identityProvider !== undefined ? [row.name] : [];
});

const folder = mkdtempSync(join(tmpdir(), 'caudal-private-network-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs openssl in the folder. */
const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });

const hasOpenssl = (() => {
	try {
		openssl('version');
		return true;
	} catch {
		return false;
	}
})();

/** Creates a certificate authority, and a certificate by it for localhost. */
const createCertificates = () => {
	const rsa = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
	openssl('req', '-x509', ...rsa, '-subj', '/CN=Utility CA', '-keyout', 'ca-key.pem', '-out', 'ca.pem');
	openssl('req', ...rsa, '-subj', '/CN=localhost', '-keyout', 'key.pem', '-out', 'request.pem');
	writeFileSync(join(folder, 'names.txt'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
	openssl(
		...['x509', '-req', '-in', 'request.pem', '-days', '2', '-extfile', 'names.txt', '-out', 'certificate.pem'],
		...['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial'],
	);
};

let synthesis: Awaited<ReturnType<typeof openSynthesis>>;
let stacks: Stacks;
beforeAll(async () => {
	synthesis = await openSynthesis(stubBundles);
	stacks = synthesis.synthesize('dev', { vpc: makeVpc(), caBundle: 'ca.pem' });
}, 60_000);
afterAll(() => synthesis.close());

const endpointOf = (variables: Readonly<Record<string, string>>): string => variables['ENDPOINT'] ?? '';

describe('with vpc', () => {
	test('the functions that call InfluxDB or the identity provider are in its subnets, and no other', () => {
		expect(callers).toContain('multipleDataTsdb');
		expect(callers).toContain('loginSso');
		for (const { properties } of functionsIn(stacks))
			expect([endpointOf(properties.Environment.Variables), properties.VpcConfig]).toEqual([
				endpointOf(properties.Environment.Variables),
				callers.includes(endpointOf(properties.Environment.Variables))
					? { SubnetIds: makeVpc().subnetIds, SecurityGroupIds: makeVpc().securityGroupIds }
					: undefined,
			]);
	});

	test('Lambda may manage their network interfaces, and their code may not', () => {
		const interfaces = [
			'ec2:CreateNetworkInterface',
			'ec2:DescribeNetworkInterfaces',
			'ec2:DescribeSubnets',
			'ec2:DeleteNetworkInterface',
			'ec2:AssignPrivateIpAddresses',
			'ec2:UnassignPrivateIpAddresses',
		];
		const statement = v.looseObject({ Effect: v.string(), Action: v.union([v.string(), v.array(v.string())]) });
		const roleSchema = v.object({
			Policies: v.array(v.object({ PolicyDocument: v.object({ Statement: v.array(statement) }) })),
		});
		const roles = ofType(stacks.resources, 'AWS::IAM::Role', roleSchema).map(({ id, properties }) => ({
			id,
			statements: properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement).filter(({ Action }) =>
				[Action].flat().some((action) => action.startsWith('ec2:')),
			),
		}));
		const roleOf = (name: string) =>
			roles.find(({ id }) =>
				functionsIn(stacks).some(
					({ properties }) => endpointOf(properties.Environment.Variables) === name && properties.Role.endsWith(`role/${id}`),
				),
			);
		const deployed = functionsIn(stacks).map(({ properties }) => endpointOf(properties.Environment.Variables));
		for (const name of functionNames.filter((each) => deployed.includes(each))) {
			const functionArn = arnOf('lambda', `function:${resourceNames('dev').function(name)}`);
			expect([name, roleOf(name)?.statements]).toEqual([
				name,
				callers.includes(name)
					? [
							{ Effect: 'Allow', Action: interfaces, Resource: '*' },
							{
								Effect: 'Deny',
								Action: interfaces,
								Resource: '*',
								Condition: { ArnEquals: { 'lambda:SourceFunctionArn': functionArn } },
							},
						]
					: [],
			]);
		}
	});
});

test('with caBundle, the functions that call InfluxDB or the identity provider load its file, and no other', () => {
	for (const { properties } of functionsIn(stacks)) {
		const variables = properties.Environment.Variables;
		expect([endpointOf(variables), variables['NODE_EXTRA_CA_CERTS']]).toEqual([
			endpointOf(variables),
			callers.includes(endpointOf(variables)) ? `/var/task/${caBundleFile}` : undefined,
		]);
	}
});

describe.skipIf(!hasOpenssl)('a private certificate authority', () => {
	beforeAll(createCertificates, 60_000);

	test('is copied beside the bundles of these functions only', () => {
		const bundles = join(folder, 'bundles');
		stubBundles(bundles);
		addCaBundle(join(folder, 'ca.pem'), bundles, { openIdInVpc: false });
		for (const name of functionNames)
			expect(readdirSync(join(bundles, name)).sort()).toEqual(callers.includes(name) ? [caBundleFile, 'index.js'] : ['index.js']);
		const copied = readFileSync(join(bundles, 'multipleDataTsdb', caBundleFile), 'utf8');
		expect(copied).toBe(readFileSync(join(folder, 'ca.pem'), 'utf8'));
	});

	test.each([
		['that does not exist', 'none.pem', () => undefined, 'ENOENT'],
		['without a certificate', 'empty.pem', () => '', 'it holds no certificate'],
		[
			'with a private key',
			'both.pem',
			() => ['ca.pem', 'ca-key.pem'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
			'it holds a private key',
		],
		['with a damaged certificate', 'damaged.pem', () => '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'asn1'],
	])('is refused by name in a file %s', (_, name, text, reason) => {
		const content = text();
		if (content !== undefined) writeFileSync(join(folder, name), content);
		const add = () => addCaBundle(join(folder, name), folder, { openIdInVpc: false });
		expect(add).toThrow(ConfigError);
		expect(add).toThrow(new RegExp(`^caBundle .*${name} cannot be used: .*${reason}`));
	});

	test('is trusted by the clients of InfluxDB and of the identity provider, and without the file it is not', async () => {
		const [key, cert] = ['key.pem', 'certificate.pem'].map((name) => readFileSync(join(folder, name)));
		const server = createServer({ key, cert }, (request, response) => {
			const isQuery = request.method === 'POST';
			response.writeHead(200, { 'content-type': isQuery ? 'text/csv' : 'application/json' });
			response.end(isQuery ? '' : '{"email":"a@utility.test","token_apps":"x"}');
		});
		const { promise: listening, resolve } = Promise.withResolvers<void>();
		server.listen(0, '127.0.0.1', resolve);
		await listening;
		const address = server.address();
		const url = `https://localhost:${address !== null && typeof address === 'object' ? address.port : 0}`;
		const read = async (variables: Readonly<Record<string, string>>): Promise<string> => {
			const program = runProgram('test/support/call-over-tls.ts', [url], variables);
			await program.ended;
			return program.output();
		};
		try {
			expect(await read({ NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') })).toBe(
				'identity provider: a@utility.test\nInfluxDB: a response\n',
			);
			expect(await read({})).toMatch(/^identity provider: .*certificate.*\nInfluxDB: .*certificate.*\n$/);
		} finally {
			server.closeAllConnections();
			server.close();
		}
	}, 30_000);
});
