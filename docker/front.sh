#!/bin/sh
# The start of `front` in docker-compose.yml: writes what docker/nginx.conf can't know, then runs the command that follows.
# TRUSTED_PROXY: the address or network of a server before this one that says who the client is; "": nobody is believed.
set -eu

case "${TRUSTED_PROXY:-}" in
*[!0-9a-fA-F.:/]*)
    echo "TRUSTED_PROXY must be one IP address or network, such as 172.30.80.1 or 10.0.5.0/28, not: $TRUSTED_PROXY" >&2
    exit 1
    ;;
esac

{
    # Web servers that are started later have other addresses: the container's DNS names those of this moment.
    awk '$1 == "nameserver" { print "resolver " ($2 ~ /:/ ? "[" $2 "]" : $2) " valid=5s;"; exit }' /etc/resolv.conf
    [ -z "${TRUSTED_PROXY:-}" ] || echo "set_real_ip_from $TRUSTED_PROXY;"
    echo 'geo $realip_remote_addr $before_us {'
    echo '    default stranger;'
    [ -z "${TRUSTED_PROXY:-}" ] || echo "    $TRUSTED_PROXY server;"
    echo '}'
} > /tmp/start.conf

exec "$@"
