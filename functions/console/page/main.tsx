// Without this import the bundler makes an empty file of the module, because its constants are written into the code that uses them.
import '#domain/validation/input-limits.ts';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { addressCredentials, startAddressCredentials } from './core/address-credentials.ts';
import { startAlarms } from './core/alarms.ts';
import { startRaisedAlarms } from './core/attention.ts';
import { startClock } from './core/clock.ts';
import { startDefinitions, variables } from './core/definitions.ts';
import { startFocusKeeper } from './core/focus-keeper.ts';
import { startNodeKeeper } from './core/node-keeper.ts';
import { connection, startPolling } from './core/poll.ts';
import { applyPreferences } from './core/preferences.ts';
import { startReadings } from './core/readings.ts';
import { startRenewal } from './core/renewal.ts';
import { restoreSession } from './core/session.ts';
import { startSessionTabs } from './core/session-tabs.ts';
import { startShortcuts } from './core/shortcuts.ts';
import { recoverFirstStyle } from './shell/later-styles.ts';
import { takeOpenIdAddress } from './shell/openid-address.ts';
import { startSoundAndNotices } from './shell/sound-and-notices.ts';
import { startTabTitle } from './shell/tab-title.ts';
import { startWall } from './shell/wall-door.ts';

/** How long the screen waits for its first values, in milliseconds. */
const longestWaitMs = 300;

applyPreferences();
startAddressCredentials();
// A sign-in that the address continues comes first.
void takeOpenIdAddress().then(start);

/** Begins everything that needs to know who is signed in. */
function start(): void {
	restoreSession(addressCredentials.value);
	// The session of a wall's machine is not for the tabs of a person.
	if (!startWall()) startSessionTabs();
	startClock();
	startRenewal();
	// These send their first requests before anything is drawn.
	startDefinitions();
	startReadings();
	startAlarms();
	startRaisedAlarms();
	startPolling();

	startShortcuts();
	startFocusKeeper();
	startTabTitle();
	startSoundAndNotices();
	recoverFirstStyle();

	const root = document.getElementById('console');
	if (root !== null)
		void firstValues().then(() => {
			// Removes the words of index.html that stand there until the scripts run.
			root.replaceChildren();
			startNodeKeeper(root);
			render(<App />, root);
		});
}

/**
 * Resolves when the first values are there or cannot be read, where first-reads.ts has asked for them: a screen without values would be
 * drawn twice.
 */
async function firstValues(): Promise<void> {
	if (globalThis.firstReads === undefined) return;
	const { promise, resolve } = Promise.withResolvers<void>();
	const stop = effect(() => {
		if (connection.value !== 'starting' && variables.rows.value !== undefined) resolve();
	});
	setTimeout(resolve, longestWaitMs);
	await promise;
	stop();
}
