import { isFunctionName, type Token } from './token.ts';

/** Returns the text of tokens. For a valid equation, `parseFormula` turns the text back into the same tokens. */
export function formatFormula(tokens: readonly Token[]): string {
	let text = '';
	let before: Token | undefined;
	let isAfterSign = false;
	for (const token of tokens) {
		const isOperand = expectsOperand(before);
		const needsNoBlank =
			before === undefined ||
			isOperator(before, '(') ||
			isOperator(token, ')') ||
			isOperator(token, ',') ||
			(isOperator(token, '(') && isFunction(before)) ||
			// Without a blank the sign would belong to the number.
			(isAfterSign && token.type !== 'number');
		text += `${needsNoBlank ? '' : ' '}${token.type === 'variable' ? referenceTo(token.value) : token.value}`;
		isAfterSign = isOperand && (isOperator(token, '+') || isOperator(token, '-'));
		before = token;
	}
	return text;
}

/** Returns the text of a reference to an input: `{Flow A}`. */
export function referenceTo(name: string): string {
	// Doubles each brace of the name.
	return `{${name.replace(/[{}]/g, '$&$&')}}`;
}

/** Whether an operand must follow a token: at the beginning, and after an operator but a closing parenthesis. */
export function expectsOperand(before: Token | undefined): boolean {
	return before === undefined || (before.type === 'operator' && before.value !== ')');
}

function isOperator(token: Token, value: string): boolean {
	return token.type === 'operator' && token.value === value;
}

function isFunction(token: Token): boolean {
	return token.type === 'operator' && isFunctionName(token.value);
}
