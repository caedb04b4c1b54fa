import type { Failure } from '#page/core/api.ts';
import { messages } from '#page/i18n/i18n.ts';
import { signInText } from '#page/screens/sign-in/texts.ts';

/** The texts of signing in with an account of the service itself, and of setting its password. */
export const accountText = messages({
	en: {
		password: 'Password',
		set: 'Set your password',
		newPassword: 'New password',
		hint: '12 to 128 characters. Several words are easy to remember, and hard to guess.',
		repeated: 'Repeat the password',
		differs: 'The two differ.',
		tooShort: 'At least 12 characters.',
		save: 'Set the password',
		saving: 'Setting…',
		done: 'The password is set.',
		code: 'Code of your authenticator app',
		codeHint: 'Or one of your recovery codes.',
		setUp: 'Set up a second factor',
		key: 'Add this key to an authenticator app',
		picture: 'QR code of the key',
		openApp: 'Open the app on this phone',
		confirm: 'Confirm',
		recovery: 'Recovery codes',
		recoveryHint: 'Keep them where your phone is not. Each signs you in once when the app is lost. They are shown only now.',
		kept: 'I have kept them: sign in',
		notNow: 'Not now',
	},
	es: {
		password: 'Contraseña',
		set: 'Elija su contraseña',
		newPassword: 'Contraseña nueva',
		hint: 'De 12 a 128 caracteres. Varias palabras se recuerdan bien y se adivinan mal.',
		repeated: 'Repita la contraseña',
		differs: 'No son iguales.',
		tooShort: 'Al menos 12 caracteres.',
		save: 'Guardar la contraseña',
		saving: 'Guardando…',
		done: 'La contraseña está guardada.',
		code: 'Código de su aplicación de autenticación',
		codeHint: 'O uno de sus códigos de recuperación.',
		setUp: 'Configurar un segundo factor',
		key: 'Añada esta clave a una aplicación de autenticación',
		picture: 'Código QR de la clave',
		openApp: 'Abrir la aplicación en este teléfono',
		confirm: 'Confirmar',
		recovery: 'Códigos de recuperación',
		recoveryHint: 'Guárdelos lejos del teléfono. Cada uno le da entrada una vez si pierde la aplicación. Solo se muestran ahora.',
		kept: 'Los he guardado: entrar',
		notNow: 'Ahora no',
	},
});

/** Returns what is said of a request that failed for which the service gave no reason. */
export function failedText({ kind, status }: Failure): string {
	return kind === 'unreachable' ? signInText().unreachable : signInText().failed(status);
}
