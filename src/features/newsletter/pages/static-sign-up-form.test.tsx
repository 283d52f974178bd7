import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SignUpForm } from './static-sign-up-form.tsx';

test('where no service is set, visitors sign up for the newsletter by email', () => {
  const texts = { label: '', placeholder: '', button: 'Subscribe', note: '' };
  const html = renderToStaticMarkup(
    <SignUpForm form="newsletter" id="sign-up" labelledBy="next" texts={texts} />,
  );
  expect(html).not.toMatch(/<form/);
  expect(html).toMatch(/href="mailto:[^"?]+\?subject=Newsletter"/);
});
