/**
 * Sends the first requests of the overview while the page's own module is still being loaded (functions/console/README.md#first-values).
 * `send` in core/api.ts takes their answers. This file imports nothing, so that it arrives first.
 */

try {
	// The session that this tab has stored (core/session.ts).
	const { token } = JSON.parse(sessionStorage.getItem('caudal.session') ?? '');
	const headers = { authorization: `Bearer ${token}`, 'x-caudal-client': 'console' };
	const read = (path: string, method: string) => {
		const { href } = new URL(path, document.baseURI);
		// What fails is sent again by the page.
		const answer = fetch(href, { method, headers }).then(
			(response) => ({ response, receivedAt: Date.now() }),
			() => null,
		);
		return [href, answer] as const;
	};
	if (/^(#\/?(overview\b.*)?)?$/.test(location.hash))
		globalThis.firstReads = {
			token,
			sentAt: performance.now(),
			answers: new Map([
				read('getVarsTsdb?limit=1000&after=0', 'GET'),
				read('multipleDataTsdb', 'POST'),
				read('getAlarms', 'GET'),
			]),
		};
	// The first formats take a browser long, and it only waits for files now. Later ones of the same locales are quick.
	new Intl.NumberFormat([...navigator.languages]).formatToParts(1.5);
	new Intl.DateTimeFormat([...navigator.languages]).format();
} catch {
	// Nobody is signed in, storage is denied, or the browser lists tags that are no locales.
}
