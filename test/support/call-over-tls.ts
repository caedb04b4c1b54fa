import { createIdpClient } from '#adapters/idp-client.ts';
import { fluxDialect } from '#adapters/influx/influx-connection.ts';
import { createQueryClient } from '#adapters/influx-common/query-client.ts';
import { staticSecret } from '#adapters/secret.ts';
import { messageOf } from '#domain/errors.ts';

/** A program that calls an identity provider and an InfluxDB at the address in its argument, and prints what each call gave. */
const [url = ''] = process.argv.slice(2);
const token = staticSecret('token');

const user = createIdpClient({ url, token, timeoutMs: 5000 })
	.getUser(1)
	.then((found) => found?.email ?? 'nobody', messageOf);
console.log(`identity provider: ${await user}`);

const client = createQueryClient({ url, token });
const collector = { push: () => undefined, finish: () => new Map() };
const response = client
	.query(fluxDialect('utility'), '', () => collector, AbortSignal.timeout(5000))
	.then(() => 'a response', messageOf);
console.log(`InfluxDB: ${await response}`);
client.close();
