import { staticSecret } from '#adapters/secret.ts';
import { openInfluxAt } from '#test/support/servers/open-influx.ts';
import { countSet, largest } from './influx-totals.ts';

/** Prints the most memory in bytes that this process took to count the largest request. Argument: the access to InfluxDB as JSON. */
const { url, org, token }: { readonly url: string; readonly org: string; readonly token: string } = JSON.parse(
	process.argv[2] ?? '',
);
const adapter = openInfluxAt({ url, org, token: staticSecret(token), topicColumn: '_measurement', deadlineMs: 60_000 });
const numbers = await countSet(largest, adapter);
adapter.close();
if (numbers.includes(null)) throw new Error('A line has no number.');
process.stdout.write(String(process.resourceUsage().maxRSS * 1024));
