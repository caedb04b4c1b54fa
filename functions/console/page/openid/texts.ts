import { messages } from '#page/i18n/i18n.ts';

/** The texts of signing in with a provider. */
export const openIdText = messages({
	en: {
		signInWith: (label: string) => `Sign in with ${label}`,
		done: 'You are signed in. You can close this window.',
		closeWindow: 'Close this window',
		signedOut: 'You are signed out, at the provider too.',
		refused: 'The provider did not sign you in. Try again, or ask whoever runs it.',
		noStorage:
			'This browser stores nothing here, so the page would not know the provider’s answer. Allow this page to store data.',
		insecure: 'Signing in with a provider needs the https address of this page.',
		somebodyElse: (name: string) =>
			`You signed in as ${name}. The tab that waits is of another person or plant, and nothing of it has changed.`,
		noGrant: 'You have no access yet. Tell an administrator:',
		asAnother: 'Sign in as somebody else',
	},
	es: {
		signInWith: (label) => `Entrar con ${label}`,
		done: 'Ha entrado. Puede cerrar esta ventana.',
		closeWindow: 'Cerrar esta ventana',
		signedOut: 'Ha cerrado la sesión, también en el proveedor.',
		refused: 'El proveedor no le ha dado entrada. Inténtelo de nuevo o pregunte a quien lo administra.',
		noStorage:
			'Este navegador no guarda nada aquí, y la página no reconocería la respuesta del proveedor. Permita que guarde datos.',
		insecure: 'Para entrar con un proveedor hace falta la dirección https de esta página.',
		somebodyElse: (name) =>
			`Ha entrado como ${name}. La pestaña que espera es de otra persona o planta, y nada de ella ha cambiado.`,
		noGrant: 'Aún no tiene acceso. Diga a un administrador:',
		asAnother: 'Entrar como otra persona',
	},
});
