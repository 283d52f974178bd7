"""Reads [{"domain", "zone"}] from standard input and writes what pyspf answers for a mail from an unlisted address.

Without a zone it asks the resolver of the system.
"""
import json
import sys

import spf

unlisted = '203.0.113.199'


def look_up(zone):
    def answer(name, kind, strict=True, timeout=None):
        for value in zone.get(name.lower(), {}).get(kind, []):
            if value == 'SERVFAIL':
                raise spf.TempError('DNS failed')
            if kind == 'TXT':
                yield (name, kind), (value.encode('utf-8'),)
            elif kind == 'MX':
                preference, host = value.split(' ')
                yield (name, kind), (int(preference), host)
            else:
                yield (name, kind), value

    return answer


def judge(case):
    if 'zone' in case:
        spf.DNSLookup = look_up(case['zone'])
    domain = case['domain']
    return spf.query(i=unlisted, s='postmaster@' + domain, h=domain).check()[0]


json.dump([judge(case) for case in json.load(sys.stdin)], sys.stdout)
