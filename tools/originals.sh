#!/bin/sh
# Fetches releases of GSD from npm, which test/originals plays beside baton.
#
#   tools/originals.sh DIR VERSION…
#
# Each release has a folder below DIR. It is unpacked without the packages that it depends on, because its commands for the
# digest need none of them. What is already there is not fetched again. If the registry does not answer, the script says so
# and succeeds: the tests skip what is missing.
set -u

dir=${1:?usage: tools/originals.sh DIR VERSION…}
shift
mkdir -p "$dir" || exit 1

for version in "$@"; do
	to=$dir/gsd-$version
	if grep -qs "\"version\": *\"$version\"" "$to/package/package.json"; then
		continue
	fi
	if ! npm view node version --fetch-retries=0 --fetch-timeout=10000 >/dev/null 2>&1; then
		echo "originals: GSD $version is not installed, and the npm registry does not answer"
		continue
	fi
	echo "originals: fetching GSD $version into $to"
	rm -rf "${to:?}" "$to.new" && mkdir -p "$to.new" &&
		(cd "$to.new" && npm pack --silent "@opengsd/gsd-core@$version" >/dev/null && tar -xzf ./*.tgz && rm -f ./*.tgz) &&
		mv "$to.new" "$to" || {
		echo "originals: GSD $version could not be fetched" >&2
		exit 1
	}
done
