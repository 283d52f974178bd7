import { expect, test } from 'vitest';
import { findCspViolations } from './find-csp-violations.ts';

test.each([
  ['<script type="importmap">{}</script>', 'an inline script'],
  ['<svg><script>run()</script></svg>', 'an inline script'],
  ['<style>p { color: red }</style>', 'an inline style sheet'],
  ['<base href="/">', 'a base element'],
  ['<IMG SRC="/a.png" ONERROR="run()">', 'an onerror attribute on img'],
  ['<a href="java&#10;script:run()">x</a>', 'a javascript: address on a'],
  ['<img src="//o.example/a.png">', 'img fetches //o.example/a.png from another origin'],
  ['<img src="/\\o.example/a.png">', 'img fetches /\\o.example/a.png from another origin'],
  ['<img src="data:image/png;base64,AAAA">', 'img fetches data:image/png;base64,AAAA from another origin'],
  ['<img srcset="/a.png 1x, //o.example/b 2x">', 'img fetches //o.example/b from another origin'],
  ['<link rel="stylesheet" href="//o.example/a">', 'link fetches //o.example/a from another origin'],
  ['<svg><use href="//o.example/#a"></use></svg>', 'use fetches //o.example/#a from another origin'],
  ['<form action="https://o.example/"></form>', 'form fetches https://o.example/ from another origin'],
  ['<button formaction="//o.example/">x</button>', 'button fetches //o.example/ from another origin'],
  ['<p style="a" onclick="b">x</p>', 'a style attribute on p, an onclick attribute on p'],
  ['<template><p style="color: red">x</p></template>', 'a style attribute on p'],
])('%s is a violation', (html, found) => {
  expect(findCspViolations(`<!doctype html><html><body>${html}</body></html>`)).toEqual(found.split(', '));
});
