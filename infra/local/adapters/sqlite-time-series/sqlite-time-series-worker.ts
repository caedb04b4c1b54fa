/** The thread that owns the database of `openSqliteTimeSeries`: answers one request after another. */
import type { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import type { Reply, Request } from './messages.ts';
import { readSeries } from './read.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { createSweeper, type Sweeper } from './sweep.ts';
import { openTables } from './tables.ts';
import type { Answered, Numbered } from './worker-calls.ts';
import { createSampleWriter, type SampleWriter } from './write.ts';

interface Opened {
	readonly sqlite: DatabaseSync;
	readonly statements: Statements;
	readonly writer: SampleWriter;
	readonly sweep: Sweeper;
}

if (parentPort === null) throw new Error('To be started as a worker thread.');

const port = parentPort;

let opened: Opened | undefined;

function open({ options }: Extract<Request, { readonly call: 'open' }>): Opened {
	const sqlite = openTables(options.file);
	const writer = createSampleWriter(sqlite);
	return { sqlite, writer, statements: prepareStatements(sqlite, options), sweep: createSweeper(sqlite, writer.forgetSeries) };
}

function read({ sqlite, statements }: Opened, { database, keys, now }: Extract<Request, { readonly call: 'read' }>): Reply {
	sqlite.exec('BEGIN');
	try {
		return { call: 'read', results: readSeries(statements, database, keys, now) };
	} finally {
		// Nothing was written but the windows in memory.
		sqlite.exec('ROLLBACK');
	}
}

function answer(request: Request): Reply {
	if (request.call === 'open') {
		opened = open(request);
		return { call: 'open' };
	}
	if (opened === undefined) throw new Error('The database is not open.');
	switch (request.call) {
		case 'read':
			return read(opened, request);
		case 'write':
			opened.writer.write(request.database, request.packed);
			return { call: 'write' };
		case 'sweep':
			return { call: 'sweep', ...opened.sweep(request.before, request.after) };
		case 'close':
			opened.sqlite.close();
			opened = undefined;
			return { call: 'close' };
	}
}

/** What `request` comes to, as a message: an error does not pass between threads whole. */
function attempt(request: Request): Answered<Reply>['body'] {
	try {
		return { reply: answer(request) };
	} catch (error) {
		return { fault: error instanceof Error ? error.message : String(error) };
	}
}

port.on('message', ({ id, body }: Numbered<Request>) => {
	port.postMessage({ id, body: attempt(body) } satisfies Answered<Reply>);
	// With its port closed the thread has nothing left to wait for, and ends.
	if (body.call === 'close') port.close();
});
