import { messages } from '#page/i18n/i18n.ts';

/** The texts of a formula's field and of its errors. */
export const formulaText = messages({
	en: {
		formulaHint: 'Names in curly braces; + - * / ^, comparisons, functions such as max({a}, 2). Type { for a list of names.',
		names: 'Names',
		namesFound: (count: number) => `${count} names: choose with the arrows, take one with Enter`,
		formulaErrors: (count: number) => (count === 1 ? 'The formula has 1 error.' : `The formula has ${count} errors.`),
		column: (column: number, sentence: string) => `Column ${column}: ${sentence}`,
		meant: 'Did you mean',
		faults: {
			brace_not_closed: (text: string) => `the brace of ${text} is not closed.`,
			name_without_braces: (text: string) => `${text} needs curly braces.`,
			missing_operand_before: (text: string) => `a value is expected here, not “${text}”.`,
			missing_operand_after: (text: string) => `a value is expected after “${text}”.`,
			two_operands: (text: string) => `an operator is expected before ${text}.`,
			bad_number: (text: string) => `${text} is not a number: write 3, 0.5 or 1e-3.`,
			number_too_large: (text: string) => `${text} is too large.`,
			unknown_operator: (text: string) => `“${text}” is no operator: + - * / ^ < > = and parentheses are.`,
			empty_parentheses: () => 'the parentheses are empty.',
			parenthesis_not_closed: () => 'this “(” is never closed.',
			parenthesis_not_opened: () => 'this “)” closes nothing.',
		},
		nextError: 'Next error',
	},
	es: {
		formulaHint: 'Nombres entre llaves; + - * / ^, comparaciones y funciones como max({a}, 2). Escriba { para ver los nombres.',
		names: 'Nombres',
		namesFound: (count: number) => `${count} nombres: elija con las flechas y acepte con Intro`,
		formulaErrors: (count: number) => (count === 1 ? 'La fórmula tiene 1 error.' : `La fórmula tiene ${count} errores.`),
		column: (column: number, sentence: string) => `Columna ${column}: ${sentence}`,
		meant: '¿Quiso decir',
		faults: {
			brace_not_closed: (text: string) => `la llave de ${text} no se cierra.`,
			name_without_braces: (text: string) => `${text} debe ir entre llaves.`,
			missing_operand_before: (text: string) => `aquí se espera un valor, no «${text}».`,
			missing_operand_after: (text: string) => `después de «${text}» se espera un valor.`,
			two_operands: (text: string) => `antes de ${text} se espera un operador.`,
			bad_number: (text: string) => `${text} no es un número: escriba 3, 0.5 o 1e-3.`,
			number_too_large: (text: string) => `${text} es demasiado grande.`,
			unknown_operator: (text: string) => `«${text}» no es un operador: lo son + - * / ^ < > = y los paréntesis.`,
			empty_parentheses: () => 'los paréntesis están vacíos.',
			parenthesis_not_closed: () => 'este «(» no se cierra.',
			parenthesis_not_opened: () => 'este «)» no cierra nada.',
		},
		nextError: 'Siguiente error',
	},
});
