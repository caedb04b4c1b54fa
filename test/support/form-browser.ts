/** A page that a server answered with. */
export interface FormPage {
	readonly address: string;
	/** Null: the address is of another server, to which the browser does not go. */
	readonly html: string | null;
}

/** Fills forms of a server without a browser: it follows redirects within the server, keeps cookies and runs no scripts. */
export interface FormBrowser {
	/** Opens an address, or posts a form to it, and follows redirects up to another server. */
	open(address: string, form?: Readonly<Record<string, string>>): Promise<FormPage>;
	/** Sends the first form of a page, with these fields beside its hidden ones. */
	submit(page: FormPage, fields: Readonly<Record<string, string>>): Promise<FormPage>;
}

const maxRedirects = 20;

/** Opens a browser without cookies. */
export function createFormBrowser(): FormBrowser {
	const cookies = new Map<string, string>();

	const send = async (address: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const request = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
		const response = await fetch(address, { ...request, headers: { cookie }, redirect: 'manual' });
		for (const header of response.headers.getSetCookie()) {
			const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
			if (value === '') cookies.delete(name);
			else cookies.set(name, value);
		}
		return response;
	};

	const open = async (address: string, form?: Readonly<Record<string, string>>): Promise<FormPage> => {
		let at = address;
		let response = await send(at, form);
		for (let count = 0; count < maxRedirects; count += 1) {
			const location = response.headers.get('location');
			if (location === null) return { address: at, html: await response.text() };
			await response.body?.cancel();
			const next = new URL(location, at);
			if (next.origin !== new URL(address).origin) return { address: next.href, html: null };
			at = next.href;
			response = await send(at);
		}
		throw new Error(`${address}: more than ${maxRedirects} redirects.`);
	};

	return {
		open,
		submit: ({ address, html }, fields) => {
			const form = /<form[^>]*>[\s\S]*?<\/form>/i.exec(html ?? '')?.[0];
			if (form === undefined) throw new Error(`${address} has no form:\n${html}`);
			const hidden = [...form.matchAll(/<input[^>]*type="hidden"[^>]*>/gi)].map(([input]) => [
				attribute(input, 'name'),
				attribute(input, 'value'),
			]);
			return open(new URL(attribute(form, 'action'), address).href, { ...Object.fromEntries(hidden), ...fields });
		},
	};
}

/** Returns an attribute of the first element of a text. */
function attribute(text: string, name: string): string {
	const value = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(text)?.[1] ?? '';
	return value.replaceAll('&amp;', '&');
}
