/** Writes series into the file of its argument until it is killed, and prints the number of each completed write. */
import { parseLineProtocol } from '#infra/local/adapters/line-protocol/line-protocol.ts';
import { openSqliteTimeSeries } from '#infra/local/adapters/sqlite-time-series/sqlite-time-series.ts';

const series = await openSqliteTimeSeries({ file: process.argv[2] ?? '', topicColumn: '_measurement' });
for (let number = 1; ; number += 1) {
	const lines = Array.from({ length: 100 }, (_, index) => `t${index === 0 ? '' : index} value=${number} ${number}`);
	await series.write('d', parseLineProtocol(lines.join('\n'), { precision: 'us', nowNs: 0n }).points);
	console.log(number);
}
